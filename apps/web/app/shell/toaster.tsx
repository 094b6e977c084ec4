import './mantine-layout.css'
import './toast.css'
import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { theme } from '../components/theme.ts'
import { TOAST_LIMIT, toast } from '../components/toast.ts'

export { toast }

/** Its provider stands beside that of the pages, and must not decide how they look. */
const leaveTheDocument = () => undefined

/** Where toasts appear. It outlives the pages, so that what one page says is still seen on the next. */
export default function Toaster() {
  return (
    <MantineProvider theme={theme} getRootElement={leaveTheDocument}>
      <Notifications position="top-center" limit={TOAST_LIMIT} zIndex={1000} containerWidth={460} />
    </MantineProvider>
  )
}
