export * from './pipelines.ts'
export * from './profiles.ts'
export * from './runnable.ts'
export * from './versions.ts'
