import { Text } from '@mantine/core'
import { accessExplanationRoutes, grantRoutes } from '@signalbox/contracts/access/routes'
import { memberRoutes } from '@signalbox/contracts/members/routes'
import { type ReactNode, useState } from 'react'
import { useWrite } from '../../client/index.ts'
import { AllowedButton, FormDialog } from '../../components/index.ts'
import type { Grant } from './access.ts'

const CHANGES = [grantRoutes.listGrants, memberRoutes.listTeamMembers, accessExplanationRoutes.explainAccess]

interface TakeAwayProps {
  readonly grant: Pick<Grant, 'id' | 'role' | 'subject_name' | 'team_path'>
  /** The words on the button, where there are several. */
  readonly label?: string
}

/** Takes a role away. */
export function TakeAway({ grant, label = 'Take away' }: TakeAwayProps): ReactNode {
  const [isAsking, setAsking] = useState(false)
  const remove = useWrite(grantRoutes.deleteGrant, { changes: CHANGES, onDone: () => setAsking(false) })
  return (
    <>
      <AllowedButton
        permission="grant.write"
        at={grant.team_path}
        variant="subtle"
        color="danger"
        onClick={() => setAsking(true)}
      >
        {label}
      </AllowedButton>
      <FormDialog
        title={`Take the role ${grant.role} from ${grant.subject_name}?`}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onSubmit={() => remove.mutate({ params: { id: grant.id } })}
        action="Take away"
        isDangerous
        isSending={remove.isPending}
        error={remove.error}
      >
        <Text>It counts at once: open pages and streams end within seconds where they need it.</Text>
      </FormDialog>
    </>
  )
}
