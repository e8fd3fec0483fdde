import { randomBytes } from 'node:crypto'
import type { BrowserContext } from 'playwright-core'
import type { Api } from '../house/api.ts'
import { ROLE_NAMES } from '../house/world.ts'

/** Somebody who signs in with a password. */
export interface Person {
  readonly login: string
  readonly password: string
}

export const PEOPLE = [...ROLE_NAMES, 'administrator', 'stranger'] as const
export type PersonName = (typeof PEOPLE)[number]
export type People = Readonly<Record<PersonName, Person>>

/** One person for each role in the team, an administrator, and somebody who holds nothing. */
export async function makePeople(admin: Api, teamPath: string): Promise<People> {
  const make = async (role: PersonName): Promise<Person> => {
    const person = { login: `web-${role}`, password: randomBytes(12).toString('hex') }
    const name = `${role[0]?.toUpperCase()}${role.slice(1)} of ${teamPath}`
    const user = await admin.send<{ id: string }>('POST', '/v1/users', { ...person, name })
    if (role === 'stranger') return person
    const path = role === 'administrator' ? '/' : teamPath
    await admin.send('POST', '/v1/grants', { subject: `user:${user.id}`, role, team_path: path })
    return person
  }
  return {
    viewer: await make('viewer'),
    operator: await make('operator'),
    editor: await make('editor'),
    owner: await make('owner'),
    administrator: await make('administrator'),
    stranger: await make('stranger'),
  }
}

/** What the page remembers of a sign-in: without it the page asks for the password before anything else. */
export const SIGNED_IN = { name: 'signalbox-signed-in', value: 'yes' } as const

/** The browser remembers that somebody signed in: to be called in a page. */
export function rememberSignIn({ name, value }: typeof SIGNED_IN): void {
  localStorage.setItem(name, value)
}

/** Gives the browser's context a session of its own, as the page does when somebody signs in. */
export async function signIn(context: BrowserContext, url: string, { login, password }: Person): Promise<void> {
  const response = await context.request.post(`${url}/v1/sessions`, {
    data: { login, password },
    headers: { origin: url, 'sec-fetch-site': 'same-origin' },
  })
  if (response.status() !== 201)
    throw new Error(`${login} could not sign in: ${response.status()} ${await response.text()}`)
}
