/** The only scope that the vendor documents; some applications get no working token without it. */
export const SCOPE = 'workout';
