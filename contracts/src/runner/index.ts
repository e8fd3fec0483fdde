export type { GatewayMethod } from './gateway-definition.ts'
export { runnerGatewayDefinition } from './gateway-definition.ts'
export * from './generated/runner_pb.ts'
