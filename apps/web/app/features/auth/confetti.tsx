import type { CSSProperties } from 'react'
import styles from './confetti.module.css'

const PIECES = 30
const COLOURS = ['#2f54eb', '#ffb020', '#12a05c', '#7c3aed', '#f97066']

/** Thirty pieces that look thrown: multiples of an odd step spread better than chance does. */
const pieces = Array.from({ length: PIECES }, (_, index) => ({
  '--from': `${(index * 37) % 100}%`,
  '--drift': `${((index * 53) % 41) - 20}vw`,
  '--turn': `${360 + ((index * 97) % 720)}deg`,
  '--delay': `${((index * 29) % 30) * 25}ms`,
  '--colour': COLOURS[index % COLOURS.length],
}))

export const Confetti = () => (
  <div className={styles.confetti} data-testid="confetti" aria-hidden>
    {pieces.map((piece) => (
      <i key={piece['--from']} style={piece as CSSProperties} />
    ))}
  </div>
)
