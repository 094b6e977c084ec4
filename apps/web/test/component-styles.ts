import '../app/components/ui/tokens.css'
import '../app/shell/base.css'
