import { openCgroup } from '../processes/cgroups/cgroup.ts'

const looksForCgroup = (): boolean => {
  using cgroup = openCgroup(`signalbox-test-${process.pid}`)
  return cgroup.folder !== undefined
}

/** Whether runners of these tests can end their tasks by cgroups. */
export const hasCgroup = looksForCgroup()
