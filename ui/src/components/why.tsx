import { ActionIcon, Popover, Text } from '@mantine/core'
import { IconHelpCircle } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { ForeignText } from './foreign-text.tsx'
import styles from './why.module.css'

interface WhyProps {
  /** What the question is about, for readers. */
  readonly of: string
  /** The server's reason. */
  readonly children: string | null | undefined
}

/** "Why?" beside a state: opens the server's reason. Renders nothing where there is none. */
export function Why({ children, of }: WhyProps): ReactNode {
  const [isOpen, setOpen] = useState(false)
  if (!children) return null
  return (
    <WhyButton of={of} isOpen={isOpen} onChange={setOpen}>
      <ForeignText>{children}</ForeignText>
    </WhyButton>
  )
}

interface WhyButtonProps {
  readonly of: string
  readonly isOpen: boolean
  readonly onChange: (isOpen: boolean) => void
  readonly children: ReactNode
}

/** The button and the reason, for who reads the reason when it is asked for. */
export function WhyButton({ of, isOpen, onChange, children }: WhyButtonProps): ReactNode {
  return (
    <Popover
      opened={isOpen}
      onChange={onChange}
      width="target"
      position="bottom-start"
      withArrow
      trapFocus={false}
      middlewares={{ flip: true, shift: true }}
    >
      <Popover.Target>
        <ActionIcon
          className={styles['why']}
          aria-label={`Why: ${of}`}
          title="Why?"
          onClick={() => onChange(!isOpen)}
          // The focus stays here, where Mantine does not hear the key.
          onKeyDown={({ key }) => key === 'Escape' && onChange(false)}
        >
          <IconHelpCircle size="1em" aria-hidden />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown w="min(90vw, 32rem)">
        <Text component="div" size="sm">
          {children}
        </Text>
      </Popover.Dropdown>
    </Popover>
  )
}
