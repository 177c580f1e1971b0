import { createPublicKey, generateKeyPairSync, type KeyObject, randomInt, sign } from 'node:crypto';

interface SignatureKey {
  id: number;
  privateKey: KeyObject;
}

/** Keys of notification signatures: ECDSA on P-256 with SHA-256, in the format of the vendor's library. */
export class SignatureKeys {
  private keys: SignatureKey[] = [newKey()];

  /** Creates a new signing key. */
  rotate(): void {
    this.keys.unshift(newKey());
  }

  /** Returns base64 of the byte 1, four bytes of the key id, and the DER signature of the body. */
  sign(body: string): string {
    const { id, privateKey } = this.keys[0]!;
    const prefix = Buffer.alloc(5);
    prefix.writeUInt8(1);
    prefix.writeUInt32BE(id, 1);
    return Buffer.concat([prefix, sign('sha256', Buffer.from(body), privateKey)]).toString('base64');
  }

  /** Returns the public keyset, including previous keys. */
  keyset(): unknown {
    return {
      primaryKeyId: this.keys[0]!.id,
      key: this.keys.map(({ id, privateKey }) => ({
        keyId: id,
        status: 'ENABLED',
        outputPrefixType: 'TINK',
        keyData: {
          typeUrl: 'type.googleapis.com/google.crypto.tink.EcdsaPublicKey',
          keyMaterialType: 'ASYMMETRIC_PUBLIC',
          value: publicKeyMessage(privateKey).toString('base64'),
        },
      })),
    };
  }
}

function newKey(): SignatureKey {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { id: randomInt(2 ** 31, 2 ** 32), privateKey };
}

/**
 * Returns the public key as Protobuf: field 2 contains the parameters (SHA-256, P-256, DER), fields 3 and 4 the
 * coordinates with a leading zero.
 */
function publicKeyMessage(privateKey: KeyObject): Buffer {
  const { x = '', y = '' } = createPublicKey(privateKey).export({ format: 'jwk' });
  const coordinate = (tag: number, value: string) =>
    Buffer.concat([Buffer.from([tag, 33, 0]), Buffer.from(value, 'base64url')]);
  const parameters = Buffer.from([0x12, 6, 0x08, 3, 0x10, 2, 0x18, 2]);
  return Buffer.concat([parameters, coordinate(0x1a, x), coordinate(0x22, y)]);
}
