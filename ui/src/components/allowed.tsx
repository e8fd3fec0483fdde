import { Button, type ButtonProps, Tooltip } from '@mantine/core'
import type { Permission } from '@signalbox/contracts/access'
import type { ComponentPropsWithoutRef, ReactNode } from 'react'
import { useConnection } from '../client/connection.ts'
import { useMayDo } from '../client/session.ts'

interface AllowedButtonProps
  extends ButtonProps,
    Omit<ComponentPropsWithoutRef<'button'>, keyof ButtonProps | 'disabled'> {
  readonly permission: Permission
  /** Path of the team that it is asked at; `/` for the platform; undefined where the form asks for the team. */
  readonly at: string | undefined
  /** Another reason why it cannot be done now. */
  readonly obstacle?: string | undefined
}

/**
 * A button that stays visible without the right to press it, and names the permission that it needs. While the control plane
 * is away it cannot be pressed.
 */
export function AllowedButton({ permission, at, obstacle, ...button }: AllowedButtonProps): ReactNode {
  const mayDo = useMayDo()
  const { away } = useConnection()
  const lack = mayDo(permission, at) ? obstacle : lackOf(permission, at)
  const reason = lack ?? (away === undefined ? undefined : 'The control plane is away: this waits until it is back.')
  if (reason === undefined) return <Button {...button} />
  return (
    <Tooltip label={reason} multiline maw="20rem">
      {/* Stays in the order of Tab, so that the reason can be heard. */}
      <Button
        {...button}
        data-disabled
        aria-disabled
        aria-description={reason}
        onClick={(event) => event.preventDefault()}
      />
    </Tooltip>
  )
}

/** What is missing, and who can give it. */
export function lackOf(permission: Permission, at: string | undefined): string {
  const where = at === undefined ? 'in a team' : at === '/' ? 'on the platform' : `in ${at}`
  return `You need the permission ${permission} ${where}. Who has grant.write there can give it.`
}
