import * as shapes from '@signalbox/contracts/secrets'
import { secretRoutes as stated } from '@signalbox/contracts/secrets/routes'
import { answer, etagOf, linkNext, originOf, type Route, serve, toWire } from '#platform/http'
import { type DescribedSecret, describeSecret, getVisibleSecret, listSecrets } from './actions/get-secret.ts'
import { createSecret, deleteSecret, replaceSecret, retireVersion } from './actions/write-secret.ts'
import type { Means } from './means.ts'

export function secretRoutes(means: Means): Route[] {
  const db = means.database.kysely
  return serve(stated, shapes, {
    async createSecret(request) {
      const { team_path: teamPath, name, value, environments = [] } = request.body
      const secret = await createSecret(means, originOf(request), { teamPath, name, value, environments })
      return answer(201, present(await describeSecret(db, secret)), {
        location: `/v1/secrets/${secret.id}`,
        etag: etagOf(secret.version),
      })
    },
    async listSecrets(request) {
      const page = await listSecrets(means, request.caller, request.query)
      return answer(200, page.items.map(present), linkNext(request.url, page))
    },
    async getSecret(request) {
      const secret = await getVisibleSecret(db, request.caller, request.params.id)
      return answer(200, present(await describeSecret(db, secret)), { etag: etagOf(secret.version) })
    },
    async replaceSecret(request) {
      const { value, environments, keep_previous: keepPrevious = true } = request.body
      const change = { id: request.params.id, value, environments, keepPrevious }
      const secret = await replaceSecret(means, originOf(request), change)
      return answer(200, present(await describeSecret(db, secret)), { etag: etagOf(secret.version) })
    },
    async retireSecretVersion(request) {
      await retireVersion(means, originOf(request), request.params.id, request.params.version)
      return answer(204)
    },
    async deleteSecret(request) {
      await deleteSecret(means, originOf(request), request.params.id)
      return answer(204)
    },
  })
}

function present({ versions, ...secret }: DescribedSecret): shapes.Secret {
  return { ...toWire(secret), versions: versions.map(({ secretId: _, ...version }) => toWire(version)) }
}
