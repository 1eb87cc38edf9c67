import { useNavigate } from 'react-router-dom'
import { Button } from '../../parts/button.tsx'
import { useTexts } from '../../parts/use-texts.ts'
import styles from './dashboard.module.css'

export function StartButton() {
  const t = useTexts()
  const navigate = useNavigate()
  return (
    <Button className={styles.start} onClick={() => void navigate('/buzzing')}>
      {t('dashboard.start')}
    </Button>
  )
}
