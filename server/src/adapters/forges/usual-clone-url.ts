/** Where most providers have a repository: its full name below their own address. */
export function usualCloneUrl(baseUrl: string, repository: string): string {
  return `${baseUrl}/${repository}.git`
}
