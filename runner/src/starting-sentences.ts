import type { ExecutorName } from './executors/executor-choice.ts'
import type { OpenedCgroup } from './processes/cgroups/cgroup.ts'
import { noNewPrivileges } from './processes/no-new-privileges.ts'

export interface RunnerMeans {
  readonly isRoot: boolean
  readonly executors: ReadonlySet<ExecutorName>
  /** Whether the operator said which. */
  readonly chosen: boolean
  /** Undefined where it was not wanted. */
  readonly cgroup: OpenedCgroup | undefined
}

/** Tells the operator how this runner keeps tasks apart. */
export function startingSentences({ isRoot, executors, chosen, cgroup }: RunnerMeans): string[] {
  const sentences: string[] = []
  if (isRoot && !chosen) {
    sentences.push(
      'this runner is root and has no chosen executors, so it runs tasks on the host alone. --executors container (SIGNALBOX_RUNNER_EXECUTORS) makes it a runner for containers',
    )
  } else if (isRoot && executors.size > 1) {
    sentences.push(
      'this runner is root and runs tasks both on the host and in containers. Files that root in a container leaves in a workspace lie where tasks on the host work. Give each kind a runner of its own',
    )
  }
  if (!executors.has('host')) return sentences
  if (!noNewPrivileges().held) {
    sentences.push(
      'setpriv (util-linux) is missing: tasks on the host start without no_new_privs, so a setuid program gives them the rights of its owner',
    )
  }
  if (cgroup?.folder === undefined) {
    const why = cgroup?.missing ?? '--cgroups is false'
    const instead = isRoot
      ? 'what a task leaves behind is ended with everything else of its account'
      : 'a process that leaves its group and sheds its environment and its folder outlives its task'
    sentences.push(`tasks on the host get no cgroup of their own (${why}): ${instead}`)
  }
  return sentences
}
