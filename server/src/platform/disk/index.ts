export { createDiskProbe, type DiskPlace, type DiskProbeOptions } from './disk-probe.ts'
export { findFreeSpace } from './free-space.ts'
