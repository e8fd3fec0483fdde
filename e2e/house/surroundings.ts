const cache = process.env['NODE_COMPILE_CACHE']

/** What of our own environment the processes of the product are given: where programs are, and what is compiled already. */
export const surroundings: Readonly<Record<string, string | undefined>> = {
  PATH: process.env['PATH'],
  ...(cache === undefined ? {} : { NODE_COMPILE_CACHE: cache }),
}
