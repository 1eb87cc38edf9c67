import { useNavigate } from 'react-router-dom'
import { Button } from '../../parts/button.tsx'
import styles from './dashboard.module.css'

export function StartButton() {
  const navigate = useNavigate()
  return (
    <Button className={styles.start} onClick={() => void navigate('/buzzing')}>
      Start video chat
    </Button>
  )
}
