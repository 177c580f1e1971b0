import type { ConnectLanguage } from '@healthd/contract';

/** All texts of the connect page. */
export interface ConnectTexts {
  title: string;
  titleWith: (operator: string) => string;
  lead: string;
  connect: string;
  tryAgain: string;
  connected: (provider: string) => string;
  arrives: string;
  partial: (provider: string, missing: string) => string;
  partialHelp: string;
  notLinked: (provider: string) => string;
  notLinkedHelp: string;
  failed: (provider: string) => string;
  /**
   * Heading after a consent that failed because the link was revoked. The user may have connected the provider in
   * another way.
   */
  notWithThis: (provider: string) => string;
  /** Explanations by failure code; `other` covers all remaining codes. */
  failures: Readonly<Record<string, string>> & { other: string };
  done: string;
  ended: string;
  endedHelp: string;
  withdrawn: string;
  withdrawnHelp: string;
  allDone: string;
  goOn: string;
  back: string;
  close: string;
  lasts: (time: string) => string;
  onlyYours: string;
}

/** Names of data types. An unknown code is shown with spaces between its words. */
export const DATA_NAMES: Readonly<Record<ConnectLanguage, Readonly<Record<string, string>>>> = {
  en: {
    offline: 'data beyond the first hour',
    spo2: 'blood oxygen',
    hrv: 'heart rate variability',
    vo2_max: 'VO2 max',
    run_vo2_max: 'VO2 max of runs',
  },
  de: {
    offline: 'Daten nach der ersten Stunde',
    steps: 'Schritte',
    distance: 'Strecke',
    calories: 'Kalorien',
    hydration: 'Trinken',
    heart_rate: 'Puls',
    resting_heart_rate: 'Ruhepuls',
    hrv: 'Herzfrequenzvariabilität',
    vo2_max: 'VO2max',
    run_vo2_max: 'VO2max beim Laufen',
    respiratory_rate: 'Atemfrequenz',
    spo2: 'Sauerstoffsättigung',
    weight: 'Gewicht',
    body_fat: 'Körperfett',
    height: 'Größe',
    sleep: 'Schlaf',
    exercise: 'Training',
    workouts: 'Training',
    recovery: 'Erholung',
    blood_glucose: 'Blutzucker',
  },
};

export const CONNECT_TEXTS: Readonly<Record<ConnectLanguage, ConnectTexts>> = {
  en: {
    title: 'Connect your health data',
    titleWith: (operator) => `Share your health data with ${operator}`,
    lead: 'Choose a provider. You then give consent on its page, and can withdraw it there at any time.',
    connect: 'Connect',
    tryAgain: 'Try again',
    connected: (provider) => `${provider} is connected`,
    arrives: 'Your data will arrive within a few minutes.',
    partial: (provider, missing) => `${provider} is connected without: ${missing}`,
    partialHelp: 'You did not select everything. That is fine. To share these data types too, ask for a new link.',
    notLinked: (provider) => `${provider} is connected, but this account has no health profile yet`,
    notLinkedHelp:
      'Open the provider’s health app with this account, finish its setup and sync your device. Your data then arrives automatically. If your data is in another account, ask for a new link.',
    failed: (provider) => `${provider} was not connected`,
    notWithThis: (provider) => `${provider} was not connected with this link`,
    failures: {
      access_denied: 'You did not agree, so nothing is shared.',
      nothing_granted: 'You gave consent, but selected no data. Try again and select at least one data type.',
      consents_missing:
        'The provider requires further consents first. Accept them in your account settings there, then try again.',
      temporarily_unavailable: 'The provider is not responding at the moment. Try again in a few minutes.',
      admin_policy_enforced: 'Your account’s administrator does not allow this. Use a private account.',
      disallowed_useragent: 'This app cannot show the provider’s page. Open the link in your browser.',
      link_used: 'This link was already used for this provider, or was revoked. Ask for a new link.',
      link_revoked: 'The link was withdrawn before you finished. Your data is not shared.',
      provider_disabled: 'This provider cannot be connected at the moment. Ask the sender of the link.',
      other:
        'An error occurred that you did not cause. Try again. If the error occurs again, tell the sender of the link.',
    },
    done: 'Connected',
    ended: 'This link is no longer valid',
    endedHelp: 'The link has expired or was not copied completely. Ask the sender for a new link.',
    withdrawn: 'This link was withdrawn',
    withdrawnHelp: 'The sender withdrew the link, perhaps because there is a newer one. Ask the sender for a new link.',
    allDone: 'All done. You can close this page.',
    goOn: 'Continue',
    back: 'Go back without connecting',
    close: 'You can close this page.',
    lasts: (time) => `This link is valid for ${time}, once per provider.`,
    onlyYours: 'The link is only for you. Do not share it.',
  },
  de: {
    title: 'Gesundheitsdaten verbinden',
    titleWith: (operator) => `Gesundheitsdaten mit ${operator} teilen`,
    lead: 'Wählen Sie einen Anbieter. Auf dessen Seite erteilen Sie Ihre Einwilligung, die Sie dort jederzeit widerrufen können.',
    connect: 'Verbinden',
    tryAgain: 'Erneut versuchen',
    connected: (provider) => `${provider} ist verbunden`,
    arrives: 'Ihre Daten treffen in wenigen Minuten ein.',
    partial: (provider, missing) => `${provider} ist verbunden, aber ohne: ${missing}`,
    partialHelp:
      'Sie haben nicht alles ausgewählt. Das ist in Ordnung. Möchten Sie auch diese Daten teilen, bitten Sie um einen neuen Link.',
    notLinked: (provider) => `${provider} ist verbunden, aber dieses Konto hat noch kein Gesundheitsprofil`,
    notLinkedHelp:
      'Öffnen Sie die Gesundheits-App des Anbieters mit diesem Konto, richten Sie sie ein und synchronisieren Sie Ihr Gerät. Ihre Daten treffen dann automatisch ein. Befinden sich Ihre Daten in einem anderen Konto, bitten Sie um einen neuen Link.',
    failed: (provider) => `${provider} wurde nicht verbunden`,
    notWithThis: (provider) => `${provider} wurde mit diesem Link nicht verbunden`,
    failures: {
      access_denied: 'Sie haben nicht zugestimmt. Es werden keine Daten geteilt.',
      nothing_granted:
        'Sie haben zugestimmt, aber keine Daten ausgewählt. Versuchen Sie es erneut und wählen Sie mindestens eine Datenart aus.',
      consents_missing:
        'Der Anbieter benötigt zuerst weitere Einwilligungen. Erteilen Sie diese dort in Ihren Kontoeinstellungen und versuchen Sie es dann erneut.',
      temporarily_unavailable: 'Der Anbieter antwortet gerade nicht. Versuchen Sie es in einigen Minuten erneut.',
      admin_policy_enforced: 'Der Administrator Ihres Kontos lässt dies nicht zu. Verwenden Sie ein privates Konto.',
      disallowed_useragent: 'Diese App kann die Seite des Anbieters nicht anzeigen. Öffnen Sie den Link im Browser.',
      link_used:
        'Dieser Link wurde für diesen Anbieter bereits verwendet oder zurückgezogen. Bitten Sie um einen neuen Link.',
      link_revoked: 'Der Link wurde zurückgezogen, bevor Sie fertig waren. Ihre Daten werden nicht abgerufen.',
      provider_disabled:
        'Dieser Anbieter kann derzeit nicht verbunden werden. Wenden Sie sich an den Absender des Links.',
      other:
        'Ein Fehler ist aufgetreten, der nicht an Ihnen liegt. Versuchen Sie es erneut. Tritt er wieder auf, informieren Sie den Absender des Links.',
    },
    done: 'Verbunden',
    ended: 'Dieser Link ist nicht mehr gültig',
    endedHelp:
      'Der Link ist abgelaufen oder wurde nicht vollständig kopiert. Bitten Sie den Absender um einen neuen Link.',
    withdrawn: 'Dieser Link wurde zurückgezogen',
    withdrawnHelp:
      'Der Absender hat den Link zurückgezogen, möglicherweise weil es einen neueren gibt. Bitten Sie den Absender um einen neuen Link.',
    allDone: 'Fertig. Sie können diese Seite schließen.',
    goOn: 'Weiter',
    back: 'Zurück, ohne zu verbinden',
    close: 'Sie können diese Seite schließen.',
    lasts: (time) => `Dieser Link ist noch ${time} gültig, einmal pro Anbieter.`,
    onlyYours: 'Der Link ist nur für Sie bestimmt. Geben Sie ihn nicht weiter.',
  },
};
