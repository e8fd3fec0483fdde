import { splitName } from './parse-arguments.ts'

/** The two parts of a repository's full name, as parameters of a path; all before the last slash is the owner. */
export function repositoryParams(repository: string): { readonly repoOwner: string; readonly repoName: string } {
  const [repoOwner, repoName] = splitName(repository, '<owner>/<name>, such as acme/shop')
  return { repoOwner, repoName }
}
