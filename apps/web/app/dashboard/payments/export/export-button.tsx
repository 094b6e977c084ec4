import { Button } from '@mantine/core'
import type { Ref } from 'react'
import { IconDownload } from '../../../ui/icons.ts'

interface ExportButtonProps {
  readonly button: Ref<HTMLButtonElement>
  readonly running: boolean
  readonly onClick: () => void
}

export const ExportButton = ({ button, running, onClick }: ExportButtonProps) => (
  <Button
    ref={button}
    variant="default"
    disabled={running}
    onClick={onClick}
    leftSection={<IconDownload size={18} stroke={1.75} aria-hidden />}
  >
    Export
  </Button>
)
