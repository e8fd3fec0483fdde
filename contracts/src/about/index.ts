import { type Static, Type } from 'typebox'
import { Nullable, OURS, OwnName, Time } from '../http/index.ts'

export const License = Type.Object({
  name: OwnName,
  license: Type.String({ ...OURS, description: 'Its SPDX identifier, such as Apache-2.0.' }),
  url: Type.String({ ...OURS, description: 'The text of the licence.' }),
})
export type License = Static<typeof License>

/** What this process stands on. */
export const SystemAbout = Type.Object({
  installation: Type.String({ ...OURS, description: 'The name of this installation: service_platform_id.' }),
  base_url: Type.String({ description: 'The address under which people and Git providers reach the service.' }),
  started_at: Type.String({ format: 'date-time', description: 'Since when this process runs.' }),
  roles: Type.Array(OwnName, { description: 'The parts that this process runs.' }),
  node_version: OwnName,
  platform: Type.String({ ...OURS, description: 'Such as linux x64.' }),
  database: Type.Object({
    version: Nullable(Type.String(), { description: 'Of PostgreSQL; null: it does not answer.' }),
    embedded: Type.Boolean(),
    place: Type.String({ description: 'Host, port and database; a folder where it is embedded.' }),
  }),
  features: Type.Object({
    tls: Type.Boolean({ description: 'The API has a certificate of its own.' }),
    runner_tls: Type.Boolean({ description: 'Runners connect over TLS.' }),
    object_store: Type.Enum(['folder', 'bucket'], { description: 'Where artifacts and caches are kept.' }),
    metrics_require_auth: Type.Boolean(),
  }),
  now: Time,
})
export type SystemAbout = Static<typeof SystemAbout>

export const About = Type.Object({
  version: OwnName,
  page_version: Nullable(OwnName, { description: 'Tells builds of the page apart; null: there is no build.' }),
  licenses: Type.Array(License),
  system: Nullable(SystemAbout, { description: 'For those who hold system.read; null for anybody else.' }),
})
export type About = Static<typeof About>

/** One option of the configuration, as this process read it when it started. */
export const SystemSetting = Type.Object({
  name: Type.String({ ...OURS, description: 'Its key in signalbox.yaml; in upper case its variable.' }),
  value: Nullable(Type.String(), { description: 'As text; `set` for a secret; null: it has none.' }),
  default: Nullable(Type.String(), { description: 'As text; null: there is none.' }),
  origin: Type.Enum(['environment', 'file', 'default', 'unset'], { description: 'Where the value comes from.' }),
  type: Type.String({ ...OURS, description: 'Such as integer, bytes or list.' }),
  hidden: Type.Boolean({ description: 'It is a secret: no answer holds its value.' }),
  text: Type.String({ ...OURS, description: 'What it is for.' }),
})
export type SystemSetting = Static<typeof SystemSetting>
