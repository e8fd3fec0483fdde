import { CommandFailed } from '../errors.ts'

/** The two parts of a repository's full name; all before the last slash is the owner. */
export function splitRepository(repository: string): { readonly owner: string; readonly name: string } {
  const at = repository.lastIndexOf('/')
  if (at < 1 || at === repository.length - 1) {
    throw new CommandFailed('usage', `"${repository}" is not <owner>/<name>, such as acme/shop.`)
  }
  return { owner: repository.slice(0, at), name: repository.slice(at + 1) }
}

/** The same as parameters of a path. */
export function repositoryParams(repository: string): { readonly repoOwner: string; readonly repoName: string } {
  const { owner, name } = splitRepository(repository)
  return { repoOwner: owner, repoName: name }
}
