/** The flags of `signalbox-runner` with their meaning; the environment form is `SIGNALBOX_RUNNER_<NAME>`. */
export const RUNNER_FLAGS = {
  url: 'host:port or https://host:port of the runner gateway',
  'token-file': 'file that holds the one-time enrolment token',
  token: 'the token itself; visible to others in the process list, so prefer SIGNALBOX_RUNNER_TOKEN or --token-file',
  name: 'name of this runner (default: host name)',
  labels: 'labels, separated by commas',
  capacity: 'tasks at once (default: processors)',
  'work-dir': 'credential, workspaces, buffered logs (default: .signalbox-runner)',
  'grace-seconds': 'time between SIGTERM and SIGKILL where the control plane names none (default: 10)',
  'offline-grace': 'seconds tasks go on after their lease while the control plane is away (default: 600)',
  'local-repositories':
    'absolute folders of this machine whose repositories may be checked out, separated by commas (default: none)',
  'task-uid':
    'first of the user and group ids that run tasks when the runner is root, one for each run (default: 60706)',
  'task-uids': 'how many of them there are, 2 at least (default: 477)',
  cgroups:
    'true or false: end tasks by a cgroup of their own where the system lets the runner make one (default: true)',
  'log-limit-mib': 'kept log of one task in MiB, beside its last 1,000 lines (default: 64)',
  'log-limit-lines': 'kept lines of one task, as well (default: 1000000)',
  'archive-limit-mib': 'files of one artifact or cache in MiB, before they are compressed (default: 10240)',
  'workspace-limit-mib': 'what a workspace may take of the disk in MiB, 0 for no limit (default: 20480)',
  'workspace-limit-files': 'files and folders of it, as well, 0 for no limit (default: 1000000)',
  'mirror-limit-mib':
    'what mirrors of repositories may take of the disk in MiB, 0 to keep none between checkouts (default: 10240)',
  executors:
    'what runs here: host, container or host,container (default: host for root, else both while an engine answers)',
  'container-host':
    'unix:///path or tcp://host:port of Docker or Podman, or none (default: DOCKER_HOST, else the usual sockets)',
  'container-network': 'network for tasks in containers: host, none or a name (default: one for each attempt)',
  'container-dns': "addresses of the name servers of containers, separated by commas (default: the engine's own)",
  'container-patience': 'seconds of silence after which the engine and what it runs are given up (default: 60)',
  'task-timezone':
    'time zone of tasks as TZ, such as Europe/Berlin, which their env may override (default: none is set)',
  'task-cpus': 'processors of one container at most (default: those of the machine)',
  'task-memory-mb': "memory of one task in containers and its services at most (default: 7/8 of the machine's)",
  'task-pids': 'processes of one task in containers and its services at most (default: 16384)',
  'containers-memory-mb': "memory of all containers together; tasks wait for it (default: 7/8 of the machine's)",
  'memory-patience': 'seconds that a task waits for memory of containers at most (default: 3600)',
  registries:
    'registries that tasks may have images of, with commas between: ghcr.io, ghcr.io/acme/*, localhost (default: all)',
  'pull-policies':
    'pull policies that tasks may ask for, the first for those that ask for none (default: always,missing,never)',
  'ca-file': 'certificate authorities for the gateway, and for the files of tasks, PEM',
} as const

export type Flag = keyof typeof RUNNER_FLAGS

function isFlag(name: string): name is Flag {
  return Object.hasOwn(RUNNER_FLAGS, name)
}

export const FLAG_NAMES = Object.keys(RUNNER_FLAGS).filter(isFlag)
