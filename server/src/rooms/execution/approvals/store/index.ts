export * from './approvers.ts'
export * from './decisions.ts'
export * from './requests.ts'
