import { join } from 'node:path'
import { ConfigWrong } from '#platform/config'
import { createFolderStore } from './folder-store.ts'
import type { ObjectStore } from './port.ts'
import { createS3Store } from './s3-store.ts'

export { type ObjectStore, ObjectStoreFailed } from './port.ts'

/** The configured place of objects. */
export interface ObjectStorePlace {
  /** `folder`, or `s3://<bucket>[/<prefix>]`. */
  readonly objectStore: string
  readonly dataDir: string
  readonly s3Endpoint: string | undefined
  readonly s3Region: string
  readonly s3AccessKeyId: string | undefined
  readonly s3SecretAccessKey: string | undefined
}

/** Throws ConfigWrong with one sentence where the configuration names no place. */
export function createObjectStore(place: ObjectStorePlace): ObjectStore {
  if (place.objectStore === 'folder') return createFolderStore(join(place.dataDir, 'objects'))
  const match = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([a-z0-9][a-z0-9_/-]*?))?\/?$/.exec(place.objectStore)
  const [, bucket, prefix = ''] = match ?? []
  if (bucket === undefined) {
    throw new ConfigWrong(`object_store is ${place.objectStore}: write folder, or s3://<bucket>/<prefix>.`)
  }
  const { s3Endpoint, s3Region: region, s3AccessKeyId: accessKeyId, s3SecretAccessKey: secretAccessKey } = place
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    throw new ConfigWrong('object_store is a bucket: s3_access_key_id and s3_secret_access_key are required with it.')
  }
  const endpoint = (s3Endpoint ?? `https://s3.${region}.amazonaws.com`).replace(/\/+$/, '')
  return createS3Store({ bucket, prefix, endpoint, region, accessKeyId, secretAccessKey })
}
