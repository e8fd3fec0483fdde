import type { Person } from '@signalbox/contracts/event'
import { type CallBase, callForge, encodeSegments, undocumented } from './api-client.ts'
import { isObject } from './json-object.ts'
import { child, id, name } from './payload-fields.ts'
import type { ForgeAnswer, ForgeConnection, ForgePermission } from './port.ts'

const WRITING: ReadonlySet<string> = new Set(['write', 'admin', 'owner'])

/**
 * `GET /repos/{owner}/{name}/collaborators/{login}/permission`, as GitHub, Gitea and Forgejo have it. A login may have
 * passed to somebody else: where the id of the person is known, that of the answer must be the same.
 */
export async function findCollaboratorPermission(
  connection: ForgeConnection,
  call: CallBase,
  repository: string,
  person: Person,
): Promise<ForgeAnswer<ForgePermission>> {
  if (person.login === null) return { outcome: 'not_found' }
  const path = `/repos/${encodeSegments(repository)}/collaborators/${encodeURIComponent(person.login)}/permission`
  const answer = await callForge(connection, { ...call, path })
  if (answer.outcome !== 'found') return answer
  const { body } = answer.value
  const permission = isObject(body) ? name(body, 'permission') : null
  if (!isObject(body) || permission === null) return undocumented()
  if (person.id !== null && id(child(body, 'user'), 'id') !== person.id) return { outcome: 'not_found' }
  const role = name(body, 'role_name') ?? permission
  return { outcome: 'found', value: { mayWrite: WRITING.has(permission), role } }
}
