const cache = process.env['NODE_COMPILE_CACHE']

/** The part of our own environment that processes of the product get: the places of programs and of compiled code. */
export const surroundings: Readonly<Record<string, string | undefined>> = {
  PATH: process.env['PATH'],
  ...(cache === undefined ? {} : { NODE_COMPILE_CACHE: cache }),
}
