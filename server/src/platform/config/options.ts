/**
 * Every option of the control plane, as data: parsing, `signalbox config`, the environment names and
 * docs/operations/configuration.md all come from this table.
 */
export interface Option {
  readonly type: OptionType
  /** Absent: no default; the text says what happens then. */
  readonly default?: string | number | boolean
  readonly secret?: boolean
  /** Of `entries`: the keys of an entry whose values are never printed. */
  readonly secretKeys?: readonly string[]
  readonly min?: number
  readonly max?: number
  readonly minLength?: number
  readonly text: string
}

export type OptionType = 'string' | 'integer' | 'boolean' | 'bytes' | 'url' | 'list' | 'entries' | 'level'

export const ROLES = ['api', 'gateway', 'dispatcher', 'scheduler', 'worker'] as const
export type Role = (typeof ROLES)[number]

export const OPTIONS = {
  host: { type: 'string', default: '127.0.0.1', text: 'Address on which the API listens.' },
  port: { type: 'integer', default: 8080, min: 0, max: 65535, text: 'Port of the API; 0 takes a free one.' },
  tls_certificate_file: {
    type: 'string',
    text: 'Path of a PEM certificate chain for the port of the API, which then speaks HTTPS only. Read again when it changes. Leave it out behind a proxy that speaks TLS.',
  },
  tls_key_file: {
    type: 'string',
    text: 'Path of the PEM private key that belongs to `tls_certificate_file`, without a passphrase.',
  },
  runner_host: { type: 'string', text: 'Address on which runners connect. Default: the value of `host`.' },
  runner_port: {
    type: 'integer',
    default: 8081,
    min: 0,
    max: 65535,
    text: 'Port on which runners connect (gRPC); 0 takes a free one.',
  },
  runner_tls_cert: {
    type: 'string',
    text: 'Path of a PEM certificate chain for the runner port. Required when it listens outside loopback. Read again when it changes.',
  },
  runner_tls_key: { type: 'string', text: 'Path of the PEM private key that belongs to `runner_tls_cert`.' },
  runner_url: {
    type: 'url',
    text: 'Address under which runners reach the runner port, as the command of a new runner names it. Default: the host of `base_url` with `runner_port`.',
  },
  base_url: {
    type: 'url',
    text: 'Address under which people and Git providers reach the API. Default: http://host:port, with `tls_certificate_file` https://host:port.',
  },
  ui_url: { type: 'url', text: 'Address of the web page. Default: `base_url`.' },
  mcp_families: {
    type: 'list',
    default:
      'access,approvals,artifacts,audit,git,knowledge,logs,pipelines,platform,runners,runs,schedules,secrets,teams,triggers',
    text: 'Families of tools that agents are offered at `POST /v1/mcp`, separated by commas; [docs/mcp](../mcp/README.md) lists them. A token may narrow them. Empty: no tools.',
  },
  mcp_confirmation: {
    type: 'string',
    default: 'agent',
    text: 'Who confirms the plans by which agents write: `agent` (whoever planned), or `person` (another person approves each). A plan that reaches a protected environment takes another person in either case; [docs/plans.md](../plans.md) says how.',
  },
  sign_in_providers: {
    type: 'entries',
    default: '',
    secretKeys: ['client_secret'],
    text: 'OpenID Connect providers by which people sign in: a list in `signalbox.yaml`, JSON in the variable. Keys of an entry: `id`, `name`, `issuer`, `client_id`, `client_secret` or `client_secret_file`, `scopes`, `groups_claim`, `groups`, `required_claims`, `create_users`; [docs/web/operators.md](../web/operators.md#openid-connect) explains them.',
  },
  password_sign_in: {
    type: 'boolean',
    default: true,
    text: 'Whether people sign in to the page with a password. `false` needs an entry in `sign_in_providers`. Tokens work in either case.',
  },
  session_idle_hours: {
    type: 'integer',
    default: 12,
    min: 1,
    max: 720,
    text: 'Hours without a request of its person after which a session of the web page ends. The default ends no session within a working day, and ends one that was left open overnight. What an open page asks by itself does not count.',
  },
  session_max_days: {
    type: 'integer',
    default: 7,
    min: 1,
    max: 365,
    text: 'Days after the sign-in at which a session ends, however much it is used. Sessions that are there keep the end that they were given.',
  },
  trusted_proxies: {
    type: 'list',
    default: '',
    text: 'Addresses or networks (10.0.0.0/8, loopback) of reverse proxies whose X-Forwarded-For counts, separated by commas. Without this option the address of a client is that of its connection.',
  },
  data_dir: {
    type: 'string',
    default: '.signalbox',
    text: 'Folder of the embedded database, the generated keys and the bootstrap token; relative to the working directory.',
  },
  min_free_disk: {
    type: 'bytes',
    default: '64MiB',
    min: 0,
    max: 1_099_511_627_776,
    text: 'Free space on the disks of the embedded database and of `data_dir/objects`. With less the service reports that it is not ready (`GET /healthz`), and goes on with its work. 0: only failing writes count.',
  },
  database_url: {
    type: 'string',
    secret: true,
    text: 'A server of PostgreSQL 18 or newer (postgres://user:password@host/database). Without this option an embedded server runs in `data_dir`.',
  },
  database_pool_size: {
    type: 'integer',
    default: 12,
    min: 3,
    max: 500,
    text: 'Limit of connections that one process opens for requests and loops. One more connection listens, and with the role `worker` the job queue takes up to 7.',
  },
  secret_key: {
    type: 'string',
    secret: true,
    text: 'Key that seals stored secrets: 32 bytes as 64 hex digits or base64. A start makes one in `data_dir` if there is none; with `database_url` the option is required. Several versions: `1=<key>,2=<key>`; the highest version seals, all versions open.',
  },
  secret_key_lost: {
    type: 'boolean',
    default: false,
    text: 'Whether a start goes on with a `secret_key` that is not that of the database. Set it for one start, when the old key is lost for good. Values that the old key sealed cannot be opened any more.',
  },
  bootstrap_admin_token: {
    type: 'string',
    secret: true,
    minLength: 24,
    text: 'A token that is an administrator until an existing administrator revokes it. Without this option a start makes one in `data_dir/bootstrap-token`. With a configured token, setup counts as done.',
  },
  event_signing_secret: {
    type: 'string',
    secret: true,
    minLength: 16,
    text: 'Key of the `X-Service-Signature` of `POST /v1/git/events`.',
  },
  credential_env_allowlist: {
    type: 'list',
    default: '',
    text: 'Names of environment variables that a `credential_ref` of the form `env:NAME` may read, separated by commas.',
  },
  metrics_require_auth: { type: 'boolean', default: false, text: 'Whether `GET /metrics` needs a bearer token.' },
  webhook_body_limit: {
    type: 'bytes',
    default: '25MiB',
    min: 1024,
    max: 104_857_600,
    text: 'Largest webhook body; a larger one is answered with 413.',
  },
  body_limit: {
    type: 'bytes',
    default: '1MiB',
    min: 1024,
    max: 104_857_600,
    text: 'Largest body of every other request.',
  },
  provider_hosts: {
    type: 'list',
    default: 'github.com,gitlab.com,bitbucket.org,dev.azure.com,codeberg.org,gitea.com',
    text: 'Hosts of Git providers that a source may name in `base_url`, separated by commas. Only these hosts are called, and only they get a stored credential. `git.example.com` means every port of the host, `git.example.com:8443` one port.',
  },
  forge_provider: {
    type: 'string',
    default: 'github',
    text: 'Provider that `forge` stands for in `/v1/git-apps/{provider}`: `github`, `gitea`, `forgejo` or `gitlab`.',
  },
  local_repositories: {
    type: 'list',
    default: '',
    text: 'Absolute folders, separated by commas, of repositories that runners may check out from their own machine (`file:///folder/name.git`). Empty: no folder is a repository. A runner needs the folder in `--local-repositories` too.',
  },
  delivery_retention_days: {
    type: 'integer',
    default: 14,
    min: 1,
    max: 3650,
    text: 'Days for which the payload and headers of a delivery are kept; its record stays. A whole day (UTC) is deleted at once.',
  },
  delivery_record_retention_days: {
    type: 'integer',
    min: 1,
    max: 3650,
    text: 'Days for which the records of deliveries, their events and their ids are kept; at least `delivery_retention_days`. Default: 90, or `delivery_retention_days` if that is more. Once the id of a delivery is deleted, the delivery counts as new when the provider sends it again.',
  },
  schedule_fire_retention_days: {
    type: 'integer',
    default: 90,
    min: 1,
    max: 3650,
    text: 'Days for which the record of what became of an instant of a schedule is kept; its run stays.',
  },
  log_limit_lines: {
    type: 'integer',
    default: 5_000_000,
    min: 1000,
    max: 1_000_000_000,
    text: 'Lines of the log of one attempt that are kept, whatever its runner sends. Further lines are marked as missing. Runners have a limit of their own, which also keeps the last lines.',
  },
  log_limit_bytes: {
    type: 'bytes',
    default: '256MiB',
    min: 1024,
    max: 17_179_869_184,
    text: 'Bytes of the log of one attempt that are kept, compressed; as `log_limit_lines`.',
  },
  log_retention_days: {
    type: 'integer',
    default: 90,
    min: 0,
    max: 3650,
    text: 'Days for which the log of an attempt is kept after its last line; 0: for ever. The whole log is deleted, and a mark stays.',
  },
  object_store: {
    type: 'string',
    default: 'folder',
    text: 'Where artifacts and caches are stored: `folder` (`data_dir/objects`), or `s3://<bucket>/<prefix>` of any S3-compatible server. Several processes need a store that all of them see.',
  },
  s3_endpoint: { type: 'url', text: 'Address of the S3-compatible server. Default: that of Amazon for `s3_region`.' },
  s3_region: { type: 'string', default: 'us-east-1', text: 'Region that requests to the object store are signed for.' },
  s3_access_key_id: { type: 'string', text: 'Required with an `object_store` that is a bucket.' },
  s3_secret_access_key: { type: 'string', secret: true, text: 'Belongs to `s3_access_key_id`.' },
  artifact_retention_days: {
    type: 'integer',
    default: 30,
    min: 1,
    max: 3650,
    text: 'Days for which artifacts without a `retention` of their own are kept.',
  },
  artifact_quota_mb: {
    type: 'integer',
    default: 20_480,
    min: 1,
    text: 'Artifacts that one team may keep, in MB, unless `PUT /v1/storage` sets another limit. A task that would exceed the limit fails.',
  },
  cache_retention_days: {
    type: 'integer',
    default: 14,
    min: 1,
    max: 3650,
    text: 'Days after its last use when a cache is deleted.',
  },
  cache_quota_mb: {
    type: 'integer',
    default: 10_240,
    min: 1,
    text: 'Caches that one team may keep, in MB, unless `PUT /v1/storage` sets another limit. Beyond the limit the least recently used caches are deleted.',
  },
  lease_seconds: {
    type: 'integer',
    default: 15,
    min: 2,
    max: 3600,
    text: 'Seconds of silence after which a runner loses its attempts.',
  },
  heartbeat_seconds: {
    type: 'integer',
    default: 3,
    min: 1,
    max: 600,
    text: 'Seconds between two renewals of the leases of a runner.',
  },
  cancel_grace_seconds: {
    type: 'integer',
    default: 10,
    min: 0,
    max: 3600,
    text: 'Time between SIGTERM and SIGKILL for a task that is cancelled or out of time.',
  },
  shutdown_grace_seconds: {
    type: 'integer',
    default: 10,
    min: 1,
    max: 3600,
    text: 'How long a stop waits for requests and jobs in hand.',
  },
  roles: {
    type: 'list',
    default: 'api,gateway,dispatcher,scheduler,worker',
    text: 'Parts that this process runs: `api` (HTTP), `gateway` (runner connections), `dispatcher`, `scheduler`, `worker` (jobs and reactions).',
  },
  log_level: { type: 'level', default: 'info', text: 'One of trace, debug, info, warn, error, fatal, silent.' },
  log_pretty: {
    type: 'boolean',
    text: 'Log for a person instead of JSON lines. Default: true on a terminal.',
  },
  service_platform_id: { type: 'string', default: 'signalbox', text: 'Name of this installation among several.' },
  fail_point: { type: 'string', default: '', text: 'For tests only: kills the process at a named point.' },
} as const satisfies Record<string, Option>

export type OptionName = keyof typeof OPTIONS
