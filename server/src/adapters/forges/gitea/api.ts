import type { CallBase } from '../api-client.ts'
import { basic } from '../api-credentials.ts'
import type { ForgeConnection } from '../port.ts'

/** The parts that all calls share. A token alone goes under Gitea's own scheme, `user:token` as HTTP Basic. */
export function callOf({ baseUrl, token }: ForgeConnection): CallBase {
  return { apiUrl: `${baseUrl}/api/v1`, headers: token === undefined || token === '' ? {} : credential(token) }
}

function credential(token: string): Readonly<Record<string, string>> {
  return token.includes(':') ? basic(token) : { authorization: `token ${token}` }
}
