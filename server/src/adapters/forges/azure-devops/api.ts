import type { ForgeCall } from '../api-client.ts'
import { basic } from '../api-credentials.ts'
import type { ForgeAnswer, ForgeConnection } from '../port.ts'
import { organisationOf } from './names.ts'

/**
 * A call about a repository, "organisation/project/repository"; `path` goes behind its name. The connection's address is
 * the organisation's: a repository of another one is `not_found`, because the same names below this one are others.
 */
export function callOf(connection: ForgeConnection, repository: string, path: string): ForgeAnswer<ForgeCall> {
  const organisation = organisationOf(connection.baseUrl, '')
  if (organisation === null) {
    const reason =
      "The address of the source is not an organisation's; set base_url to one like https://dev.azure.com/acme."
    return { outcome: 'failed', reason, retry: false }
  }
  const [owner = '', project = '', name = '', ...rest] = repository.split('/')
  const isThere = owner.toLowerCase() === organisation.toLowerCase() && name !== '' && rest.length === 0
  if (!isThere) return { outcome: 'not_found' }
  const [encodedProject, encodedName] = [encodeURIComponent(project), encodeURIComponent(name)]
  return {
    outcome: 'found',
    value: {
      // Without this header a refused token is answered with a page to sign in on instead of 401.
      headers: { ...authorization(connection.token), 'x-tfs-fedauthredirect': 'Suppress' },
      path: `/${encodedProject}/_apis/git/repositories/${encodedName}${path}`,
    },
  }
}

/** A personal access token is a password, with any user or none; tokens of Entra ID are JWTs and come as they are. */
function authorization(token: string | undefined): Readonly<Record<string, string>> {
  if (token === undefined || token === '') return {}
  if (/^eyJ[\w-]*\.[\w-]+\.[\w-]+$/.test(token)) return { authorization: `Bearer ${token}` }
  return basic(token.includes(':') ? token : `:${token}`)
}
