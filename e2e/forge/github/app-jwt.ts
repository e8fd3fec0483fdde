import { verify } from 'node:crypto'
import { type Fields, isFields } from '../fields.ts'
import { refuse } from './refusals.ts'
import type { App, World } from './world.ts'

/** The longest life of a JWT, and the difference of clocks that GitHub overlooks, in seconds. */
const LONGEST_LIFE_S = 600
const SKEW_S = 5

const UNREADABLE = 'A JSON web token could not be decoded'

/** The app that a JWT proves; throws the refusal that GitHub answers. */
export function readAppJwt(world: World, header: string | undefined): App {
  const jwt = /^Bearer (.+)$/i.exec(header ?? '')?.[1]
  if (jwt === undefined) throw refuse(401, UNREADABLE)
  const parts = jwt.split('.')
  const [head, claims] = [readPart(parts[0]), readPart(parts[1])]
  if (parts.length !== 3 || !head || !claims || head['alg'] !== 'RS256') throw refuse(401, UNREADABLE)
  checkTimes(claims, world.clock.now() / 1000)
  const app = findIssuer(world, claims['iss'])
  if (!app) throw refuse(404, 'Integration not found')
  const signed = Buffer.from(`${parts[0]}.${parts[1]}`)
  const signature = Buffer.from(parts[2] ?? '', 'base64url')
  if (!app.keys.some((key) => verify('sha256', signed, key, signature))) throw refuse(401, UNREADABLE)
  return app
}

function readPart(part: string | undefined): Fields | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part ?? '', 'base64url').toString('utf8'))
    return isFields(value) ? value : undefined
  } catch {
    return undefined
  }
}

function checkTimes({ iat, exp }: Fields, now: number): void {
  if (typeof exp !== 'number') {
    throw refuse(
      401,
      "'Expiration time' claim ('exp') must be a numeric value representing the future time at which the assertion expires",
    )
  }
  if (exp <= now) {
    throw refuse(
      401,
      "'Expiration time' claim ('exp') must be a numeric value representing the future time at which the assertion expires",
    )
  }
  if (exp > now + LONGEST_LIFE_S + SKEW_S) {
    throw refuse(401, "'Expiration time' claim ('exp') is too far in the future")
  }
  if (typeof iat !== 'number' || !Number.isInteger(iat) || iat > now + SKEW_S) {
    throw refuse(
      401,
      "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued",
    )
  }
}

/** By the app's id, as a number or a text, or by its client id. */
function findIssuer(world: World, issuer: unknown): App | undefined {
  return world.apps.values().find((app) => String(issuer) === String(app.id) || issuer === app.clientId)
}
