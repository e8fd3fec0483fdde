/** More than this is a mistake in the patterns, such as one that takes in node_modules. */
export const mostFiles = 200_000
/** Folders within folders. Each is held open while its files are read or written. */
export const mostDepth = 250
/** Of a file's path. Systems allow 4,096 with the folder that it is unpacked to. */
export const mostPathBytes = 3000

const shown = 60

function cut(path: string): string {
  return path.length > shown ? `${path.slice(0, shown)}...` : path
}

export function tooDeep(path: string): RangeError {
  return new RangeError(
    `${cut(path)} lies deeper than ${mostDepth} folders, the most that an archive may hold; exclude it with "!", or pack it with tar into a file first`,
  )
}

export function tooLong(path: string): RangeError {
  return new RangeError(
    `the path of ${cut(path)} is longer than ${mostPathBytes} bytes, the most that an archive may hold. Exclude it with "!", or pack it with tar into a file first`,
  )
}
