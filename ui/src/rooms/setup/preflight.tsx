import { Alert, Button, Stack, Text } from '@mantine/core'
import { setupRoutes } from '@signalbox/contracts/setup/routes'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { read } from '../../client/index.ts'
import { ProblemNotice } from '../../components/index.ts'

/** The blocker that this page removes. */
const OURS = 'administrator_missing'

/** What stands in the way of this installation, each with its remedy; nothing where nothing does. */
export function Preflight(): ReactNode {
  const preflight = useQuery(read(setupRoutes.getPreflight))
  const blockers = preflight.data?.blockers.filter(({ code }) => code !== OURS) ?? []
  const again = (): void => void preflight.refetch()
  if (preflight.error) return <ProblemNotice error={preflight.error} onRetry={again} />
  if (blockers.length === 0) return null
  return (
    <Stack gap="sm">
      {blockers.map(({ code, message, remedy }) => (
        <Alert
          key={code}
          color="caution"
          variant="light"
          role="alert"
          title={message}
          icon={<IconAlertTriangle aria-hidden />}
        >
          <Text>{remedy}</Text>
        </Alert>
      ))}
      <Button variant="default" loading={preflight.isFetching} onClick={again}>
        Look again
      </Button>
    </Stack>
  )
}
