export { LatestDeliveries } from './latest-deliveries.tsx'
