/** A repository's name as patterns compare it: letters of ASCII in one case, no others. */
export function foldName(name: string): string {
  return name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}
