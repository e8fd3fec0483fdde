import { groupRoutes, serviceAccountRoutes, userRoutes } from '@signalbox/contracts/access/routes'
import type { Client } from '../client/client.ts'
import { ApiProblem } from '../client/problem.ts'
import { CommandFailed } from '../errors.ts'
import { groups } from './group.ts'
import { idOf } from './resource.ts'
import { identifierOf, serviceAccounts } from './service-account.ts'
import { users } from './user.ts'

export const SUBJECT = 'user:<login>, group:<name> or service_account:<team path>/<name>; or an id instead of the name'

/** A subject as the API names it, `<kind>:<id>`, from what a person calls it. */
export async function subjectOf(client: Client, given: string): Promise<string> {
  const at = given.indexOf(':')
  const [kind, name] = [given.slice(0, Math.max(0, at)), given.slice(at + 1)]
  if (name !== '') {
    if (kind === 'user') return `user:${await idOf(client, users, name)}`
    if (kind === 'group') return `group:${await idOf(client, groups, name)}`
    if (kind === 'service_account' || kind === 'service-account') {
      return `service_account:${await idOf(client, serviceAccounts, name)}`
    }
  }
  throw new CommandFailed('usage', `"${given}" names no subject.`, `Write ${SUBJECT}.`)
}

/** The name for people; the id where the caller may not see the name. */
export async function nameOfSubject(client: Client, subject: string): Promise<string> {
  const at = subject.indexOf(':')
  const [kind, id] = [subject.slice(0, at), subject.slice(at + 1)]
  const request = { params: { id } }
  try {
    if (kind === 'user') return `user:${(await client.call(userRoutes.getUser, request)).login}`
    if (kind === 'group') return `group:${(await client.call(groupRoutes.getGroup, request)).name}`
    return `${kind}:${identifierOf(await client.call(serviceAccountRoutes.getServiceAccount, request))}`
  } catch (error) {
    if (error instanceof ApiProblem) return subject
    throw error
  }
}
