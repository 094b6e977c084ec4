import { useRouteLoaderData } from 'react-router'

const placeholder = 'https://pay.example.com'

/** Samples are written for an example's address; shown, they carry this gateway's own. */
export function useAddress(): { readonly origin: string; readonly fill: Readonly<Record<string, string>> } {
  const root = useRouteLoaderData('root') as { origin?: string } | undefined
  const origin = root?.origin ?? placeholder
  return { origin, fill: { [placeholder]: origin } }
}
