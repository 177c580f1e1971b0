/**
 * Marketing names of Samsung hardware codes. Each line contains a name and its codes without the prefix `SM-`. A code
 * is a stem with the letters that may follow the stem (`-` means no letter).
 */
const NAMED = `
Galaxy A10=A105:F,M
Galaxy A12=A125:F,U,U1
Galaxy A13=A135:F,U,U1
Galaxy A13 5G=A136:B,U,U1
Galaxy A14=A145:F
Galaxy A14 5G=A146:B,U,U1
Galaxy A15=A155:F
Galaxy A15 5G=A156:E,U,U1
Galaxy A16=A165:F
Galaxy A16 5G=A166:E,U,U1
Galaxy A20=A205:F,U,U1
Galaxy A21=A215:U,U1
Galaxy A21s=A217:F
Galaxy A22=A225:F
Galaxy A22 5G=A226:B
Galaxy A23=A235:F
Galaxy A23 5G=A236:B,U,U1
Galaxy A24=A245:F
Galaxy A25 5G=A256:B,E,U,U1
Galaxy A26 5G=A266:B,U,U1
Galaxy A30=A305:F
Galaxy A31=A315:F
Galaxy A32=A325:F
Galaxy A32 5G=A326:B,U,U1
Galaxy A33 5G=A336:B,E
Galaxy A34 5G=A346:B,E
Galaxy A35 5G=A356:B,E,U,U1
Galaxy A36 5G=A366:B,E,U,U1
Galaxy A40=A405:FN
Galaxy A41=A415:F
Galaxy A42 5G=A426:B,U,U1
Galaxy A50=A505:F,U,U1
Galaxy A51=A515:F,U,U1
Galaxy A51 5G=A516:B,U,U1
Galaxy A52=A525:F
Galaxy A52 5G=A526:B,U,U1
Galaxy A52s 5G=A528:B
Galaxy A53 5G=A536:B,E,U,U1
Galaxy A54 5G=A546:B,E,U,U1
Galaxy A55 5G=A556:B,E
Galaxy A56 5G=A566:B,E
Galaxy A70=A705:F,U,U1
Galaxy A71=A715:F
Galaxy A71 5G=A716:B,U,U1
Galaxy A72=A725:F
Galaxy A73 5G=A736:B
Galaxy A80=A805:F
Galaxy A90 5G=A908:B
Galaxy Z Flip=F700:F,U,U1
Galaxy Z Flip 5G=F707:B,U,U1
Galaxy Z Flip3 5G=F711:B,U,U1
Galaxy Z Flip4=F721:B,U,U1
Galaxy Z Flip5=F731:B,U,U1
Galaxy Z Flip6=F741:B,U,U1
Galaxy Z Flip7=F766:B,U,U1
Galaxy Fold=F900:F,U,U1
Galaxy Z Fold2 5G=F916:B,U,U1
Galaxy Z Fold3 5G=F926:B,U,U1
Galaxy Z Fold4=F936:B,U,U1
Galaxy Z Fold5=F946:B,U,U1
Galaxy Z Fold6=F956:B,U,U1
Galaxy Z Fold7=F966:B,U,U1
Galaxy S20 FE=G780:F,G
Galaxy S20 FE 5G=G781:B,U,U1
Galaxy S10e=G970:F,U,U1
Galaxy S10=G973:F,U,U1
Galaxy S10+=G975:F,U,U1
Galaxy S10 5G=G977:B,U
Galaxy S20=G980:F
Galaxy S20 5G=G981:B,U,U1
Galaxy S20+=G985:F
Galaxy S20+ 5G=G986:B,U,U1
Galaxy S20 Ultra 5G=G988:B,U,U1
Galaxy S21 FE 5G=G990:B,U,U1
Galaxy S21 5G=G991:B,U,U1
Galaxy S21+ 5G=G996:B,U,U1
Galaxy S21 Ultra 5G=G998:B,U,U1
Galaxy Watch7 40mm=L300:-
Galaxy Watch7 40mm LTE=L305:-
Galaxy Watch7 44mm=L310:-
Galaxy Watch7 44mm LTE=L315:-
Galaxy Watch Ultra=L700:-
Galaxy Watch Ultra LTE=L705:-
Galaxy M10=M105:F,G
Galaxy M11=M115:F
Galaxy M12=M127:F,G
Galaxy M13=M135:F
Galaxy M13 5G=M136:B
Galaxy M14=M145:F
Galaxy M14 5G=M146:B
Galaxy M15 5G=M156:B
Galaxy M20=M205:F
Galaxy M21=M215:F
Galaxy M22=M225:FV
Galaxy M23 5G=M236:B
Galaxy M30=M305:F
Galaxy M30s=M307:F
Galaxy M31=M315:F
Galaxy M31s=M317:F
Galaxy M32=M325:F
Galaxy M32 5G=M326:B
Galaxy M33 5G=M336:B
Galaxy M34 5G=M346:B
Galaxy M35 5G=M356:B
Galaxy M40=M405:F
Galaxy M42 5G=M426:B
Galaxy M51=M515:F
Galaxy M52 5G=M526:B
Galaxy M53 5G=M536:B
Galaxy M54 5G=M546:B
Galaxy M55 5G=M556:B,E
Galaxy M62=M625:F
Galaxy Note9=N960:F,U,U1
Galaxy Note10=N970:F,U,U1
Galaxy Note10+=N975:F,U,U1
Galaxy Note10+ 5G=N976:B,U
Galaxy Note20=N980:F
Galaxy Note20 5G=N981:B,U,U1
Galaxy Note20 Ultra=N985:F
Galaxy Note20 Ultra 5G=N986:B,U,U1
Galaxy Ring=Q500:- Q505:- Q510:- Q515:-
Galaxy Watch 46mm=R800:-
Galaxy Watch 46mm LTE=R805:-
Galaxy Watch 42mm=R810:-
Galaxy Watch Active2 44mm=R820:-
Galaxy Watch Active2 40mm=R830:-
Galaxy Watch3 45mm=R840:-
Galaxy Watch3 41mm=R850:-
Galaxy Watch4 40mm=R860:-
Galaxy Watch4 44mm=R870:-
Galaxy Watch4 Classic 42mm=R880:-
Galaxy Watch4 Classic 46mm=R890:-
Galaxy Watch5 40mm=R900:-
Galaxy Watch5 44mm=R910:-
Galaxy Watch5 Pro 45mm=R920:-
Galaxy Watch6 40mm=R930:-
Galaxy Watch6 44mm=R940:-
Galaxy Watch6 Classic 43mm=R950:-
Galaxy Watch6 Classic 47mm=R960:-
Galaxy S23 FE=S711:B,U,U1
Galaxy S24 FE=S721:B,U,U1
Galaxy S22=S901:B,E,U,U1
Galaxy S22+=S906:B,E,U,U1
Galaxy S22 Ultra=S908:B,E,U,U1
Galaxy S23=S911:B,U,U1
Galaxy S23+=S916:B,U,U1
Galaxy S23 Ultra=S918:B,U,U1
Galaxy S24=S921:B,U,U1
Galaxy S24+=S926:B,U,U1
Galaxy S24 Ultra=S928:B,U,U1
Galaxy S25=S931:B,U,U1
Galaxy S25+=S936:B,U,U1
Galaxy S25 Edge=S937:B,U,U1
Galaxy S25 Ultra=S938:B,U,U1
`;

/** Names by hardware code, such as `SM-S901U`. */
export const SAMSUNG_DEVICES: ReadonlyMap<string, string> = new Map(NAMED.trim().split('\n').flatMap(namesOf));

const SHORTEST_CODE = Math.min(...[...SAMSUNG_DEVICES.keys()].map((code) => code.length));
const LONGEST_CODE = Math.max(...[...SAMSUNG_DEVICES.keys()].map((code) => code.length));

/**
 * Returns the name for the longest known code that the model starts with. Letters for a region or carrier may follow
 * the code (`SM-R940NZKAXXX`).
 */
export function samsungName(model: string): string | undefined {
  if (!/^SM-/i.test(model)) return undefined;
  const code = model.toUpperCase();
  for (let length = Math.min(code.length, LONGEST_CODE); length >= SHORTEST_CODE; length -= 1) {
    const name = SAMSUNG_DEVICES.get(code.slice(0, length));
    if (name !== undefined) return name;
  }
  return undefined;
}

function namesOf(line: string): [code: string, name: string][] {
  const [name = '', stems = ''] = line.split('=');
  return stems.split(' ').flatMap((stem) => {
    const [start = '', letters = ''] = stem.split(':');
    return letters.split(',').map((one): [string, string] => [`SM-${start}${one === '-' ? '' : one}`, name]);
  });
}
