import { Loader } from '@mantine/core'

export const PageSpinner = () => (
  <div style={{ display: 'grid', placeItems: 'center', minHeight: '100dvh' }}>
    <Loader color="action" role="status" aria-label="Loading" />
  </div>
)
