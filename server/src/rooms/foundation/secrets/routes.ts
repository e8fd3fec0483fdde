import * as shapes from '@signalbox/contracts/secrets'
import { secretRoutes as stated } from '@signalbox/contracts/secrets/routes'
import { answer, etagOf, linkNext, originOf, type Route, serve } from '#platform/http'
import type { Kit } from '#platform/room'
import { toWireTime, toWireTimeOrNull } from '#platform/time'
import { type DescribedSecret, describeSecret, getVisibleSecret } from './actions/get-secret.ts'
import { listSecrets } from './actions/list-secrets.ts'
import { createSecret, deleteSecret, replaceSecret, retireVersion } from './actions/write-secret.ts'
import type { SecretNeeds } from './index.ts'

/** `changed` is called after each commit. */
export function secretRoutes(kit: Kit, needs: SecretNeeds, changed: () => void): Route[] {
  const db = kit.database.kysely
  return serve(stated, shapes, {
    async createSecret(request) {
      const { team_path: teamPath, name, value, environments = [] } = request.body
      const secret = await createSecret(kit, needs, originOf(request), { teamPath, name, value, environments })
      changed()
      return answer(201, present(await describeSecret(db, secret)), {
        location: `/v1/secrets/${secret.id}`,
        etag: etagOf(secret.version),
      })
    },
    async listSecrets(request) {
      const page = await listSecrets(kit, request.caller, request.query)
      return answer(200, page.items.map(present), linkNext(request.url, page))
    },
    async getSecret(request) {
      const secret = await getVisibleSecret(db, request.caller, request.params.id)
      return answer(200, present(await describeSecret(db, secret)), { etag: etagOf(secret.version) })
    },
    async replaceSecret(request) {
      const { value, environments, keep_previous: keepPrevious = true } = request.body
      const change = { value, environments, keepPrevious, ifMatch: request.headers['if-match'] }
      const secret = await replaceSecret(kit, needs, originOf(request), request.params.id, change)
      changed()
      return answer(200, present(await describeSecret(db, secret)), { etag: etagOf(secret.version) })
    },
    async retireSecretVersion(request) {
      await retireVersion(kit, needs, originOf(request), request.params.id, request.params.version)
      changed()
      return answer(204)
    },
    async deleteSecret(request) {
      await deleteSecret(kit, needs, originOf(request), request.params.id)
      changed()
      return answer(204)
    },
  })
}

function present(row: DescribedSecret): shapes.Secret {
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
