/** How values of a FIT base type are read. */
export interface BaseType {
  /** Bytes of one value. */
  size: number;
  /** The number that says that there is no value; undefined where that is not a number. */
  invalid: number | undefined;
  read(view: DataView, at: number, isLittleEndian: boolean): number;
}

const BYTE: BaseType['read'] = (view, at) => view.getUint8(at);
const UINT16: BaseType['read'] = (view, at, little) => view.getUint16(at, little);
const UINT32: BaseType['read'] = (view, at, little) => view.getUint32(at, little);

/** By the lower five bits of a field's base type. Texts and numbers of 64 bits are not read. */
const BASE_TYPES: Readonly<Record<number, BaseType>> = {
  0: { size: 1, invalid: 0xff, read: BYTE },
  1: { size: 1, invalid: 0x7f, read: (view, at) => view.getInt8(at) },
  2: { size: 1, invalid: 0xff, read: BYTE },
  3: { size: 2, invalid: 0x7fff, read: (view, at, little) => view.getInt16(at, little) },
  4: { size: 2, invalid: 0xffff, read: UINT16 },
  5: { size: 4, invalid: 0x7fffffff, read: (view, at, little) => view.getInt32(at, little) },
  6: { size: 4, invalid: 0xffffffff, read: UINT32 },
  8: { size: 4, invalid: undefined, read: (view, at, little) => view.getFloat32(at, little) },
  9: { size: 8, invalid: undefined, read: (view, at, little) => view.getFloat64(at, little) },
  10: { size: 1, invalid: 0, read: BYTE },
  11: { size: 2, invalid: 0, read: UINT16 },
  12: { size: 4, invalid: 0, read: UINT32 },
  13: { size: 1, invalid: 0xff, read: BYTE },
};

/** The base type of a field; undefined for one that is not read as a number. */
export function baseTypeOf(code: number): BaseType | undefined {
  return BASE_TYPES[code & 0x1f];
}
