import { useNavigate } from 'react-router-dom'
import { ABOVE_DASHBOARD } from '../../domain/history-entry.ts'
import { Button } from '../../parts/button.tsx'
import { useTexts } from '../../parts/use-texts.ts'
import styles from './dashboard.module.css'

export function StartButton() {
  const t = useTexts()
  const navigate = useNavigate()
  return (
    <Button className={styles.start} onClick={() => void navigate('/buzzing', { state: ABOVE_DASHBOARD })}>
      {t('dashboard.start')}
    </Button>
  )
}
