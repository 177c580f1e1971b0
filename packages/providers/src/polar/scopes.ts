/** The only one that the vendor offers: all data of the person. */
export const SCOPE = 'accesslink.read_all';
