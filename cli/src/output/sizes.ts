/** Bytes for a person, in MB of 1,048,576. */
export function inMb(bytes: number): string {
  return `${(bytes / 1_048_576).toFixed(1)} MB`
}
