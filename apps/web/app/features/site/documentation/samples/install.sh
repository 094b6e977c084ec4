# In Muripo's repository: build the package and pack it
npm run build -w muripo
npm pack ./packages/sdk/dist

# In your own project
npm install /path/to/muripo-0.1.0.tgz
