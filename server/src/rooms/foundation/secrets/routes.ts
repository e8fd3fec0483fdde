import {
  CreateSecret,
  ReplaceSecret,
  Secret,
  SecretParams,
  SecretQuery,
  SecretVersionParams,
} from '@signalbox/contracts/secrets'
import { Type } from 'typebox'
import { answer, defineRoute, etagOf, linkNext, originOf, type Route } from '#platform/http'
import type { Kit } from '#platform/room'
import { toWireTime, toWireTimeOrNull } from '#platform/time'
import { type DescribedSecret, describeSecret, getVisibleSecret } from './actions/get-secret.ts'
import { listSecrets } from './actions/list-secrets.ts'
import { createSecret, deleteSecret, replaceSecret, retireVersion } from './actions/write-secret.ts'
import type { SecretNeeds } from './index.ts'

const tag = 'secrets'

/** `changed` is called after each commit. */
export function secretRoutes(kit: Kit, needs: SecretNeeds, changed: () => void): Route[] {
  const db = kit.database.kysely
  return [
    defineRoute({
      method: 'POST',
      path: '/v1/secrets',
      summary: 'Store a secret; its value is never returned',
      tag,
      class: 'authorized',
      permission: 'secret.write',
      schema: { body: CreateSecret },
      responses: { 201: Secret },
      problems: [{ status: 409 }],
      handle: async (request) => {
        const { team_path: teamPath, name, value, environments = [] } = request.body
        const secret = await createSecret(kit, needs, originOf(request), { teamPath, name, value, environments })
        changed()
        return answer(201, present(await describeSecret(db, secret)), {
          location: `/v1/secrets/${secret.id}`,
          etag: etagOf(secret.version),
        })
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/v1/secrets',
      summary: 'List what is known of stored secrets, newest first; never their values',
      tag,
      class: 'authorized',
      permission: 'secret.read',
      schema: { query: SecretQuery },
      responses: { 200: Type.Array(Secret) },
      handle: async (request) => {
        const page = await listSecrets(kit, request.caller, request.query)
        return answer(200, page.items.map(present), linkNext(request.url, page))
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/v1/secrets/:id',
      summary: 'What is known of a stored secret; never its value',
      tag,
      class: 'authorized',
      permission: 'secret.read',
      schema: { params: SecretParams },
      responses: { 200: Secret },
      handle: async (request) => {
        const secret = await getVisibleSecret(db, request.caller, request.params.id)
        return answer(200, present(await describeSecret(db, secret)), { etag: etagOf(secret.version) })
      },
    }),
    defineRoute({
      method: 'PUT',
      path: '/v1/secrets/:id',
      summary: 'Store a new version of a secret',
      tag,
      class: 'authorized',
      permission: 'secret.write',
      schema: { params: SecretParams, body: ReplaceSecret },
      responses: { 200: Secret },
      problems: [{ status: 409 }],
      handle: async (request) => {
        const { value, environments, keep_previous: keepPrevious = true } = request.body
        const change = { value, environments, keepPrevious, ifMatch: request.headers['if-match'] }
        const secret = await replaceSecret(kit, needs, originOf(request), request.params.id, change)
        changed()
        return answer(200, present(await describeSecret(db, secret)), { etag: etagOf(secret.version) })
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/v1/secrets/:id/versions/:version',
      summary: 'Retire the older version: what is signed with it is refused from then on',
      tag,
      class: 'authorized',
      permission: 'secret.write',
      schema: { params: SecretVersionParams },
      responses: { 204: 'empty' },
      problems: [{ status: 409 }],
      handle: async (request) => {
        await retireVersion(kit, needs, originOf(request), request.params.id, request.params.version)
        changed()
        return answer(204)
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/v1/secrets/:id',
      summary: 'Delete a secret with every version; not while a webhook source uses it',
      tag,
      class: 'authorized',
      permission: 'secret.write',
      schema: { params: SecretParams },
      responses: { 204: 'empty' },
      problems: [{ status: 409 }],
      handle: async (request) => {
        await deleteSecret(kit, needs, originOf(request), request.params.id)
        changed()
        return answer(204)
      },
    }),
  ]
}

function present(row: DescribedSecret): Secret {
  return {
    id: row.id,
    team_path: row.teamPath,
    name: row.name,
    version: row.version,
    versions: row.versions.map(({ version, createdAt, lastUsedAt }) => ({
      version,
      created_at: toWireTime(createdAt),
      last_used_at: toWireTimeOrNull(lastUsedAt),
    })),
    environments: [...row.environments],
    created_at: toWireTime(row.createdAt),
    updated_at: toWireTime(row.updatedAt),
    last_used_at: toWireTimeOrNull(row.lastUsedAt),
  }
}
