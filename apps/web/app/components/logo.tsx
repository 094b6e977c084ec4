interface LogoProps {
  readonly size?: number
}

/** Two arches that form an m. */
export function LogoIcon({ size = 28 }: LogoProps) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" fill="none" aria-hidden="true" focusable="false">
      <path d="M4 26V14.5a6 6 0 0 1 12 0V26" stroke="currentColor" strokeWidth="4.5" strokeLinecap="round" />
      <path d="M16 26V14.5a6 6 0 0 1 12 0V26" stroke="#ffb020" strokeWidth="4.5" strokeLinecap="round" />
      <path d="M16 26V14.5" stroke="currentColor" strokeWidth="4.5" strokeLinecap="round" />
    </svg>
  )
}

export function Logo({ size = 28 }: LogoProps) {
  return (
    <span style={{ display: 'inline-flex', alignItems: 'center', gap: 8 }}>
      <LogoIcon size={size} />
      <span style={{ fontWeight: 650, fontSize: size * 0.75, letterSpacing: '-0.02em' }}>Muripo</span>
    </span>
  )
}
