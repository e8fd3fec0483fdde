import { Type } from 'typebox'
import { PULL_POLICIES } from '../../images/index.ts'
import { environment, oneOf, registryCredential, scalar } from './parts.ts'

function image(description: string) {
  return Type.String({
    pattern: '\\S',
    patternErrorMessage: 'write the reference of an image, such as node:24-slim',
    maxLength: 500,
    description,
  })
}

const LIMITS_FORM = 'write { cpus: 2, memory_mb: 2048, pids: 512 }'
const mebibytes = Type.Integer({ minimum: 1, maximum: 1_048_576, errorMessage: 'write a whole number of MiB' })
function ulimit(description: string) {
  return Type.Optional(Type.Integer({ minimum: 0, maximum: 1_048_576, description }))
}

/** Each limit is charged to the container that it is said of; runners have ceilings of their own. */
function limits(description: string) {
  return Type.Optional(
    Type.Object(
      {
        cpus: Type.Optional(Type.Number({ minimum: 0.01, maximum: 1024, description: 'Processors, such as 0.5.' })),
        memory_mb: Type.Optional(
          Type.Integer({ minimum: 16, maximum: 16_777_216, description: 'Memory in MiB; more of it ends the task.' }),
        ),
        pids: Type.Optional(
          Type.Integer({ minimum: 16, maximum: 32_768, description: 'Processes and threads at once.' }),
        ),
        shm_mb: Type.Optional(
          Type.Integer({
            minimum: 1,
            maximum: 1_048_576,
            description: 'Size of /dev/shm in MiB; it counts as memory.',
          }),
        ),
        tmpfs: Type.Optional(
          Type.Record(Type.String({ pattern: '^/[A-Za-z0-9_][A-Za-z0-9_./-]{0,199}$' }), mebibytes, {
            additionalProperties: false,
            maxProperties: 10,
            description: 'Folders in memory, by their absolute path: their size in MiB, which counts as memory.',
            errorMessage: 'write absolute paths with sizes in MiB, such as { /cache: 256 }',
          }),
        ),
        ulimits: Type.Optional(
          Type.Object(
            {
              core: ulimit('Size of core dumps.'),
              memlock: ulimit('Memory that cannot be swapped.'),
              nofile: ulimit('Open files.'),
              nproc: ulimit('Processes of the user.'),
              stack: ulimit('Size of the stack.'),
            },
            {
              additionalProperties: false,
              description:
                'Limits of each process, as `ulimit` has them: `core`, `memlock`, `nofile`, `nproc`, `stack`.',
              errorMessage: 'write { nofile: 4096, nproc: 512, core: 0 }',
            },
          ),
        ),
      },
      { additionalProperties: false, description, errorMessage: LIMITS_FORM },
    ),
  )
}

const Service = Type.Object(
  {
    name: Type.String({
      pattern: '^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$',
      patternErrorMessage: 'write a host name of lower-case letters, digits and -, such as db',
      description: 'The host name under which the task reaches it. Unique within the task.',
    }),
    image: image('The image of the service. `${{ matrix.<axis> }}` is replaced.'),
    env: environment(
      scalar,
      'The environment of the service. `${{ matrix.<axis> }}` is replaced; outputs of tasks are not.',
      'write names and values, such as { POSTGRES_PASSWORD: test }',
    ),
    command: Type.Optional(
      Type.Array(scalar, {
        maxItems: 100,
        description: 'The command, instead of that of the image.',
        errorMessage: 'write a list of words, such as [redis-server, --save, ""]',
      }),
    ),
    resources: limits('The limits of the service; the runner sets those that are left out.'),
  },
  { additionalProperties: false, errorMessage: 'write a service, such as { name: db, image: postgres:17 }' },
)

/** The directives by which a task's container differs from its profile. */
export const containerDirectives = {
  image: Type.Optional(image('Image of the container in which it runs, instead of that of its profile.')),
  user: Type.Optional(
    Type.String({
      pattern: '^(?:[a-z_][a-z0-9_-]{0,31}|\\d{1,10})(?::(?:[a-z_][a-z0-9_-]{0,31}|\\d{1,10}))?$',
      patternErrorMessage: 'write a user of the image by name or number, in quotes, such as "1000:1000"',
      description: 'User, and group behind a colon, inside the container.',
    }),
  ),
  network: oneOf(
    ['default', 'none', 'host'],
    'Network of the container: of its own, none at all, or that of the machine.',
  ),
  read_only: Type.Optional(
    Type.Boolean({ description: 'The root of the container cannot be written; the workspace and /tmp can.' }),
  ),
  resources: limits('Limits of the container, instead of those of its profile.'),
  registry_credential: Type.Optional(
    registryCredential(
      '`<team path>/<name>` of a stored secret, `user:password`, for the registry of the image of the task; or several, by registry.',
      'acme/web/registry',
    ),
  ),
  pull_policy: oneOf(
    PULL_POLICIES,
    'When registries are asked for its images: once in each run, where the image is missing, or never.',
  ),
  services: Type.Optional(
    Type.Array(Service, {
      maxItems: 10,
      description: 'Containers that run beside the task, from before its start until after its end.',
      errorMessage: 'write a list of services, such as [{ name: db, image: postgres:17 }]',
    }),
  ),
}
