/** A higher number is a mistake in the patterns, such as a pattern that takes in node_modules. */
export const MOST_FILES = 200_000
/** Folders within folders. Each is held open while its files are read or written. */
export const MOST_DEPTH = 250
/** Of a file's path. Systems allow 4,096 with the folder that it is unpacked to. */
export const MOST_PATH_BYTES = 3000

const SHOWN = 60

function cut(path: string): string {
  return path.length > SHOWN ? `${path.slice(0, SHOWN)}...` : path
}

export function tooDeep(path: string): RangeError {
  return new RangeError(
    `${cut(path)} lies deeper than ${MOST_DEPTH} folders, the most that an archive may hold; exclude it with "!", or pack it with tar into a file first`,
  )
}

export function tooLong(path: string): RangeError {
  return new RangeError(
    `the path of ${cut(path)} is longer than ${MOST_PATH_BYTES} bytes, the most that an archive may hold. Exclude it with "!", or pack it with tar into a file first`,
  )
}
