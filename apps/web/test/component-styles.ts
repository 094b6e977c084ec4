import '../app/shell/type.css'
import '../app/shell/base.css'
import '../app/shell/mantine-layout.css'
