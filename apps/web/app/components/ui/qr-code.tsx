import type { QrDrawing } from '@muripo/contract/checkout'
import styles from './qr-code.module.css'

/** The quiet zone of the standard around the code, in modules. */
const MARGIN = 4

interface QrCodeProps {
  readonly drawing: QrDrawing
  readonly label: string
}

export const QrCode = ({ drawing: { size, path }, label }: QrCodeProps) => (
  <svg
    className={styles.code}
    viewBox={`${-MARGIN} ${-MARGIN} ${size + 2 * MARGIN} ${size + 2 * MARGIN}`}
    role="img"
    aria-label={label}
    shapeRendering="crispEdges"
  >
    <path d={path} />
  </svg>
)
