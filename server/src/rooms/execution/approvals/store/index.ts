export * from './approvers.ts'
export * from './decided.ts'
export * from './decisions.ts'
export * from './requests.ts'
